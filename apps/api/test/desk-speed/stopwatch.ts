/** Returns a function that returns the milliseconds since now, of the real clock. */
export function startWatch(): () => number {
  // biome-ignore lint/plugin: a measurement needs real time.
  const began = performance.now()
  // biome-ignore lint/plugin: a measurement needs real time.
  return () => performance.now() - began
}
