/** Limits of codes and tests by text: which numbers get them, how many a day, and what ends a sudden rise (ADR 0060). */
export { createTextLimits, type TextLimits } from './text-limits.service.ts'
