// What a job carries. Parsed by the worker too: it may be older, or younger, than the job.
import { z } from "zod";

export const BatchJob = z.object({ batchId: z.string().min(1) });
