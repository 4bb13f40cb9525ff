// The icon of each page of the navigation, by its path.
import {
  BadgeCheck,
  Building2,
  ChartColumn,
  KeyRound,
  Layers,
  ListOrdered,
  type LucideIcon,
  Radio,
  ScrollText,
  Send,
  Trophy,
  UserCog,
  Users,
  Zap,
} from "lucide-react";

export const pageIcons: Readonly<Record<string, LucideIcon>> = {
  overview: ChartColumn,
  members: Users,
  boards: Trophy,
  boosts: Zap,
  ranks: BadgeCheck,
  keys: KeyRound,
  people: UserCog,
  batches: Layers,
  events: Radio,
  destinations: Send,
  audit: ScrollText,
  clans: Building2,
  queue: ListOrdered,
};
