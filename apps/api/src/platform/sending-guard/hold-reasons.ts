const unconfirmed = (text: string) => ({ text, command: 'tidings deliveries confirm-instance' })

/** The reasons to send nothing: the cause, and the command that ends it. */
export const holdReasons = {
  held: { text: 'An operator holds all sending.', command: 'tidings deliveries release' },
  'other-cluster': unconfirmed('This database was restored or copied to another database server.'),
  'other-database': unconfirmed('This database was restored or copied into another one on its server.'),
  'other-timeline': unconfirmed(
    'This database server was recovered to a point in time, or a standby was promoted.',
  ),
  'other-host-name': unconfirmed('This database belongs to a site with another host name.'),
  'other-site-url': unconfirmed('This database belongs to a site with another SITE_URL.'),
  restored: unconfirmed('This database was restored from a dump.'),
  'ledger-behind': unconfirmed('This database is older than what its workers have sent: it was restored.'),
  'no-mark': unconfirmed('The DATA_DIR of a worker has no record of what this database sent.'),
  'mark-of-another-database': unconfirmed('The DATA_DIR of a worker belongs to another database or site.'),
  'mark-copied': unconfirmed(
    'The DATA_DIR of a worker was copied or restored, so its record of what was sent may be old.',
  ),
  'mark-unreadable': unconfirmed("The record of what was sent, in a worker's DATA_DIR, can't be read."),
  'mark-unwritable': {
    text: "A worker can't write to its DATA_DIR, so it can't record what it sends. Free space or allow writing; it then goes on by itself.",
    command: null,
  },
} as const satisfies Record<string, { text: string; command: string | null }>

/** The code of a message that a role didn't send because sending is held. */
export const heldCode = 'EHELD'

export type HoldReason = keyof typeof holdReasons

export function isHoldReason(text: string): text is HoldReason {
  return Object.hasOwn(holdReasons, text)
}

/** Reads a stored reason; null for none. One that this version doesn't know holds all the same. */
export function toHoldReason(reason: string | null): HoldReason | null {
  return reason === null || isHoldReason(reason) ? reason : 'ledger-behind'
}

/** Returns why nothing is sent, for editors. */
export function describeHold(reason: HoldReason): string {
  const { text, command } = holdReasons[reason]
  return command === null || reason === 'held' ? text : `${text} An operator must run '${command}'.`
}
