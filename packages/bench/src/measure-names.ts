/** What can be measured, in the order in which it is. */
export const measureNames = ['edition', 'live-feed', 'first-visit', 'lighthouse', 'scale'] as const

export type MeasureName = (typeof measureNames)[number]
