/** The kinds of problems that operators get an email about (ADR 98). */
export const alertKinds = [
  'edition-held',
  'sending-held',
  'deliveries-unconfirmed',
  'refunds-waiting',
  'dead-job',
  'disk-low',
  'backup-old',
  'domain-refusing',
] as const

export type AlertKind = (typeof alertKinds)[number]
