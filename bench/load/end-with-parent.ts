// Loaded before each process of a bench (--import): it ends when the runner does, however the runner ended.
process.on("disconnect", () => process.exit(1));
