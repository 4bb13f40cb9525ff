// What the job of a reversal carries. Parsed by the worker too: it may be older, or younger, than the job.
import { z } from "zod";

export const ReversalJob = z.object({ reversalId: z.string().min(1) });
