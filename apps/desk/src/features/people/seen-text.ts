import type { DeskPerson } from '@tidings/contracts/desk/people/people'
import { counted } from '#lib/counted.ts'
import { spanText } from '#lib/time/zoned-time.ts'

const hereMs = 3 * 60_000

/** Returns when a person was at the desk, and their passkeys: `Here now · 2 passkeys`. */
export function seenText({ passkeys = 0, lastSeenAt }: DeskPerson, now: Date): string {
  const keys = passkeys === 0 ? 'no passkey' : counted(passkeys, 'passkey')
  if (lastSeenAt === null || lastSeenAt === undefined) return `Signed out · ${keys}`
  const ago = now.getTime() - new Date(lastSeenAt).getTime()
  return `${ago < hereMs ? 'Here now' : `${spanText(ago)} ago`} · ${keys}`
}
