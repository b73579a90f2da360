import { createHmac } from 'node:crypto'
import { limits } from '@tidings/contracts/limits'

/** What a code is bound to. */
export type CodeBinding = { appId: string; purpose: CodePurpose; email: string }

/** What a code may be used for. */
export type CodePurpose = 'reset' | 'login' | 'signup' | 'verification'

export type CodeSecrets = {
  /**
   * The six digits of a code, from its id: a mail that is sent again carries the same ones, and nobody who reads the
   * database learns them. `attempt` makes others, when those are taken.
   */
  digitsOf(codeId: string, attempt: number): string
  /** What is kept of the digits: keyed, and bound to purpose, app and address. */
  hash(binding: CodeBinding, digits: string): string
  /** What a reset code is found by when no address comes with it. */
  lookupHash(appId: string, digits: string): string
}

const possibilities = 10n ** BigInt(limits.codeDigits)

/** Makes and hashes one-time codes with keys of the site's secret. */
export function createCodeSecrets(secret: string): CodeSecrets {
  const keyed = (purpose: string, text: string) => {
    const key = createHmac('sha256', secret).update(`one-time code ${purpose}`).digest()
    return createHmac('sha256', key).update(text)
  }
  return {
    digitsOf(codeId, attempt) {
      // 64 bits over a million possibilities: no digit is likelier than another by more than a trillionth.
      const number = keyed('digits', `${codeId} ${attempt}`).digest().readBigUInt64BE() % possibilities
      return String(number).padStart(limits.codeDigits, '0')
    },
    hash: ({ appId, purpose, email }, digits) =>
      keyed('hash', JSON.stringify([appId, purpose, email, digits])).digest('hex'),
    lookupHash: (appId, digits) => keyed('lookup', JSON.stringify([appId, digits])).digest('hex'),
  }
}

/** The digits somebody typed, without the spaces and dashes that come along when pasting; null when they are not six. */
export function parseDigits(text: string): string | null {
  const digits = text.normalize('NFKC').replace(/[\s\p{Pd}]/gu, '')
  return /^\d{6}$/.test(digits) ? digits : null
}
