import { AppError } from '../../../platform/errors.ts'

/** Does the work of an upload while it has a slot; throws `too-many-requests` when there is none. */
export type UploadSlots = <T>(memberId: string, work: () => Promise<T>) => Promise<T>

/** Bounds how many uploads are in memory at once, of one member and of all: each is held until it is encoded. */
export function createUploadSlots(most: { ofOneMember: number; inAll: number }): UploadSlots {
  const taken = new Map<string, number>()
  let inAll = 0

  return async (memberId, work) => {
    const own = taken.get(memberId) ?? 0
    if (own >= most.ofOneMember || inAll >= most.inAll) throw new TooManyUploadsError()
    taken.set(memberId, own + 1)
    inAll += 1
    try {
      return await work()
    } finally {
      const left = (taken.get(memberId) ?? 1) - 1
      if (left === 0) taken.delete(memberId)
      else taken.set(memberId, left)
      inAll -= 1
    }
  }
}

class TooManyUploadsError extends AppError {
  constructor() {
    super('too-many-requests', 429, 'Other pictures are being uploaded. Please try again in a moment.', {
      headers: { 'Retry-After': '2' },
    })
  }
}
