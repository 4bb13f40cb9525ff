// The content of a batch's job. The worker parses it, too: it may be of an older or a newer version than the job.
import { z } from "zod";

export const BatchJob = z.object({ batchId: z.string().min(1) });
