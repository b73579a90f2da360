/** Returns the time of the device, in milliseconds since 1970. */
export function currentTime(): number {
  return Date.now()
}

/** Returns a new id for a change that may be repeated. */
export function newId(): string {
  return crypto.randomUUID()
}
