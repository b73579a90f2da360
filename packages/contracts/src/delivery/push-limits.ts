/** Limits of notifications in the browser. Free of zod, for the browser. */
export const pushLimits = {
  /** Browsers that one member can add. */
  devices: 10,
  /** Characters of the address that a browser's push service hands out. */
  endpointLength: 2_000,
} as const
