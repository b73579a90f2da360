/**
 * Limits of codes and tests by text: which numbers get them, how many a day, and the stop after a sudden rise of unused
 * codes (ADR 0060).
 */
export { createSmsLimits, type SmsLimits } from './sms-limits.service.ts'
