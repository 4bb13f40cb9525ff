// Loaded into a process before its own code (--import): SIGUSR2 makes it die of an error that nobody caught, SIGHUP of
// a full heap.
process.on("SIGUSR2", () => {
  throw new Error("a planted fault");
});
process.on("SIGHUP", () => {
  const held: number[][] = [];
  for (;;) held.push(Array.from({ length: 10_000 }, (_, index) => index + 0.5));
});
