/** One piece of work for the hasher. Passwords are in it: it goes through the channel and nowhere else. */
export type HasherTask =
  | { kind: 'hash'; password: string; memoryKiB: number; passes: number }
  | { kind: 'verify'; password: string; hash: string }

/** What the hasher says to a task: the hash, whether the password is right, or that it could not be done. */
export type HasherResult = string | boolean | null

export type HasherRequest = { id: number; task: HasherTask }
export type HasherAnswer = { id: number; result: HasherResult }

/** Whether a message from the other side of the channel is an answer. */
export function isHasherAnswer(message: unknown): message is HasherAnswer {
  return typeof message === 'object' && message !== null && 'id' in message && 'result' in message
}

/** Whether a message from the other side of the channel is a request. */
export function isHasherRequest(message: unknown): message is HasherRequest {
  return typeof message === 'object' && message !== null && 'id' in message && 'task' in message
}
