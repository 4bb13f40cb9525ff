// Schemas are interpreted, not compiled: the Content-Security-Policy forbids making code from text, and would report the attempt.
import { z } from "zod";

z.config({ jitless: true });
