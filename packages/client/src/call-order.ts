/** Where the session stood when a call began, so that a late answer can be told from a current one. */
export type Moment = { token: string | null; order: number; changes: number }

/** Tells late answers from current ones: calls are numbered as they begin, and so are the changes of who is logged in. */
export function createCallOrder() {
  let calls = 0
  let changes = 0
  let newestChoice = 0
  let newestRead = 0

  return {
    /** The present moment, to be taken before a call is sent. */
    begin: (token: string | null): Moment => ({ token, order: ++calls, changes }),

    /** Who is logged in, or what they are like, has changed: what was asked before may not know of it. */
    changed(): void {
      changes += 1
    },

    /** Takes logging in or out as the person's last word; false when they have chosen by a later call already. */
    choose({ order }: Moment): boolean {
      if (order < newestChoice) return false
      newestChoice = order
      return true
    },

    /** Takes a read as the newest; false when something changed since it began, or a later read came first. */
    read({ order, changes: known }: Moment): boolean {
      if (known !== changes || order <= newestRead) return false
      newestRead = order
      return true
    },
  }
}
