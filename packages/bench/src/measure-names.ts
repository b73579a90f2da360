/** The measures, in the order of their execution. */
export const measureNames = [
  'edition',
  'live-feed',
  'member',
  'login',
  'session-end',
  'payments',
  'first-visit',
  'slow-visit',
  'widget',
  'lighthouse',
  'scale',
  'search',
  'members-scale',
  'payments-scale',
  'payments-year',
  'delivery-planning',
  'delivery-sending',
  'delivery-texts',
  'delivery-reads',
  'delivery-memory',
  'delivery-scale',
  'delivery-faults',
  'pdf',
  'pictures',
] as const

export type MeasureName = (typeof measureNames)[number]
