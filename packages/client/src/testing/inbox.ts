import { expect, inject } from 'vitest'
import { isRecord, textOf } from '../wire/wire-reading.ts'

/** A phrase by which each email is found. */
export const about = {
  login: 'Your login code',
  signup: 'Your sign-up code',
  reset: 'Your password reset code',
  verification: 'Confirm your email address',
  newPassword: 'Your password was changed',
  newAddress: 'Your email address was changed',
}

/** Waits for `count` emails to an address that contain this phrase, and returns the text of the newest. */
export async function mailTo(address: string, phrase: string, count = 1): Promise<string> {
  let texts: string[] = []
  const arrived = async () => {
    texts = (await textsTo(address)).filter((text) => text.includes(phrase))
    return texts.length
  }
  await expect.poll(arrived, { message: `emails to ${address}: ${phrase}` }).toBeGreaterThanOrEqual(count)
  return texts[0] ?? ''
}

/** Returns the code in such an email. */
export async function codeTo(address: string, phrase: string, count = 1): Promise<string> {
  const text = await mailTo(address, phrase, count)
  const code = /\b\d{6}\b/.exec(text)?.[0]
  if (code === undefined) throw new Error(`There is no code in: ${text}`)
  return code
}

/** Returns another code of six digits. */
export function otherThan(code: string): string {
  return code === '111111' ? '222222' : '111111'
}

async function textsTo(address: string): Promise<string[]> {
  const response = await fetch(`${inject('site').inboxUrl}/messages?to=${encodeURIComponent(address)}`)
  const mails: unknown = await response.json()
  if (!Array.isArray(mails)) throw new Error('The inbox did not return a list of emails')
  return mails.map((mail) => textOf(isRecord(mail) ? mail : {}, 'text'))
}
