// The contents of jobs. The worker parses them, too: a job may be of an older or a newer version than the worker.
import { z } from "zod";

export const BatchJob = z.object({ batchId: z.string().min(1) });

export const ReversalJob = z.object({ reversalId: z.string().min(1) });
