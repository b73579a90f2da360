/** A task for the hasher. NOTE: it contains a password, so it goes through the channel and nowhere else. */
export type HasherTask =
  | { kind: 'hash'; password: string; memoryKiB: number; passes: number }
  | { kind: 'verify'; password: string; hash: string }

/** The hash, whether the password matches, or null for a failure. */
export type HasherResult = string | boolean | null

export type HasherRequest = { id: number; task: HasherTask }
export type HasherResponse = { id: number; result: HasherResult }

export function isHasherResponse(message: unknown): message is HasherResponse {
  return typeof message === 'object' && message !== null && 'id' in message && 'result' in message
}

export function isHasherRequest(message: unknown): message is HasherRequest {
  return typeof message === 'object' && message !== null && 'id' in message && 'task' in message
}
