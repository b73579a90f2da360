import type { Suppression } from '#generated/prisma/client.ts'
import type { Db } from '#platform/database.ts'

type Kind = Suppression['kind']

/** Twilio's codes about numbers that get no texts: they don't exist, are landlines, or their owners replied STOP. */
const kinds: Readonly<Record<string, Kind>> = {
  '21211': 'bounce',
  '21614': 'bounce',
  '30005': 'bounce',
  '30006': 'bounce',
  '21610': 'complaint',
}

/** Returns why nothing more is sent to a number after an error of Twilio; null for an error that may pass. */
export function numberRefusal(code: string): Kind | null {
  return kinds[code] ?? null
}

/** Sends to a number again. */
export async function liftNumber(db: Db, number: string, now: Date): Promise<void> {
  await db.suppression.updateMany({
    where: { address: number, suppressedAt: { not: null } },
    data: { suppressedAt: null, liftedAt: now },
  })
}

/** Suppresses a member's number, until it is verified again. */
export async function suppressNumber(
  db: Db,
  { number, kind, reason, now }: { number: string; kind: Kind; reason: string; now: Date },
): Promise<void> {
  await db.$executeRaw`
    INSERT INTO suppression (address, kind, reason, suppressed_at)
    SELECT number, ${kind}::suppression_kind, left(${reason}, 300), ${now} FROM member_phone
    WHERE number = ${number} LIMIT 1
    ON CONFLICT (address) DO UPDATE SET
      kind = excluded.kind, reason = excluded.reason,
      suppressed_at = coalesce(suppression.suppressed_at, excluded.suppressed_at)`
}
