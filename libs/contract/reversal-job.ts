// The content of a reversal's job. The worker parses it, too: it may be of an older or a newer version than the job.
import { z } from "zod";

export const ReversalJob = z.object({ reversalId: z.string().min(1) });
