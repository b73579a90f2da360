import { createHmac } from 'node:crypto'
import { limits } from '@tidings/contracts/limits'
import { equalInConstantTime } from '#platform/signing.ts'

/** The purpose of a code. */
export type CodePurpose = 'reset' | 'login' | 'signup' | 'verification'

/** The app, purpose and address that a code is valid for. */
export type CodeBinding = { appId: string; purpose: CodePurpose; email: string }

/** The member (as the app) and the number (as the address) that a texted code is valid for. */
type PhoneBinding = { appId: string; purpose: 'phone'; email: string }

export type CodeSecrets = ReturnType<typeof createCodeSecrets>

const signatureBytes = 16
const possibilities = 10n ** BigInt(limits.codeDigits)

/** Makes and hashes one-time codes with keys derived from the site's secret. */
export function createCodeSecrets(secret: string) {
  const keyed = (purpose: string, text: string) => {
    const key = createHmac('sha256', secret).update(`one-time code ${purpose}`).digest()
    return createHmac('sha256', key).update(text)
  }
  /** Signs a code that is emailed in a link: unlike its digits, a signature can't be guessed. */
  function signatureOf({ appId, purpose, email }: CodeBinding, digits: string): string {
    const signature = keyed('link', JSON.stringify([appId, purpose, email, digits])).digest()
    return signature.subarray(0, signatureBytes).toString('base64url')
  }

  return {
    signatureOf,
    /** Returns whether a link with this code and signature was emailed. */
    isSignatureOf(binding: CodeBinding, digits: string, signature: string): boolean {
      return equalInConstantTime(signature, signatureOf(binding, digits))
    },
    /** Derives a code's digits, the same for each sending; another `attempt` derives others if they are taken. */
    digitsOf(codeId: string, attempt: number): string {
      // 64 bits over a million possibilities: no digit is likelier than another by more than a trillionth.
      const number = keyed('digits', `${codeId} ${attempt}`).digest().readBigUInt64BE() % possibilities
      return String(number).padStart(limits.codeDigits, '0')
    },
    hash({ appId, purpose, email }: CodeBinding | PhoneBinding, digits: string): string {
      return keyed('hash', JSON.stringify([appId, purpose, email, digits])).digest('hex')
    },
    /** Returns the hash that finds a reset code without its address. */
    lookupHash(appId: string, digits: string): string {
      return keyed('lookup', JSON.stringify([appId, digits])).digest('hex')
    },
  }
}
