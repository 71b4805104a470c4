/** Loaded before the service by a test: SIGUSR2 makes the event loop stand still for ever. */
process.on("SIGUSR2", () => {
  for (;;);
})
