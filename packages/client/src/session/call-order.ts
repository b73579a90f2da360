/** The session when a call started, which shows whether its response is outdated. */
export type CallStart = { token: string | null; order: number; changes: number }

/** Detects outdated responses by numbering the calls and the changes of the session. */
export function createCallOrder() {
  let calls = 0
  let changes = 0
  let newestChoice = 0
  let newestRead = 0

  return {
    /** Returns the start of a call. Call it before sending. */
    begin: (token: string | null): CallStart => ({ token, order: ++calls, changes }),

    /** Records a change of the session or the member, which outdates reads that started before. */
    changed(): void {
      changes += 1
    },

    /** Records a login or logout. Returns false when a login or logout that started later has already finished. */
    choose({ order }: CallStart): boolean {
      if (order < newestChoice) return false
      newestChoice = order
      return true
    },

    /** Records a read. Returns false when it is outdated by a change or by a later read. */
    read({ order, changes: known }: CallStart): boolean {
      if (known !== changes || order <= newestRead) return false
      newestRead = order
      return true
    },
  }
}
