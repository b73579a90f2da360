import { expect } from '@playwright/test'
import { siteUnderTest } from '../site-under-test.config.ts'

type Email = { text: string }

/** A phrase by which each email is found. */
export const about = {
  login: 'Your login code',
  signup: 'Your sign-up code',
  reset: 'Your password reset code',
  verification: 'Confirm your email address',
}

/** Waits for `count` emails to an address that contain this phrase, and returns the newest. */
export async function mailTo(address: string, phrase: string, count = 1): Promise<Email> {
  let mails: Email[] = []
  const arrived = async () => {
    mails = (await mailsTo(address)).filter(({ text }) => text.includes(phrase))
    return mails.length
  }
  await expect.poll(arrived, `emails to ${address}: ${phrase}`).toBeGreaterThanOrEqual(count)
  const [newest] = mails
  if (newest === undefined) throw new Error('The inbox lost an email')
  return newest
}

/** Returns all emails to an address, newest first. */
export async function mailsTo(address: string): Promise<Email[]> {
  const response = await fetch(`${siteUnderTest.inboxUrl()}/messages?to=${encodeURIComponent(address)}`)
  const all: unknown = await response.json()
  if (!Array.isArray(all) || !all.every(isMail)) throw new Error('The inbox did not return a list of emails')
  return all
}

function isMail(value: unknown): value is Email {
  return typeof value === 'object' && value !== null && 'text' in value && typeof value.text === 'string'
}

/** Returns the code in such an email. */
export async function codeTo(address: string, phrase: string, count = 1): Promise<string> {
  const { text } = await mailTo(address, phrase, count)
  const code = /\b\d{6}\b/.exec(text)?.[0]
  if (code === undefined) throw new Error(`There is no code in: ${text}`)
  return code
}

/** Returns another code of six digits. */
export function otherThan(code: string): string {
  return code === '111111' ? '222222' : '111111'
}

/** Waits for a text to a phone number, and returns the newest. */
export async function textTo(number: string): Promise<string> {
  let texts: Email[] = []
  const arrived = async () => {
    texts = await mailsTo(number)
    return texts.length
  }
  await expect.poll(arrived, `texts to ${number}`).toBeGreaterThanOrEqual(1)
  return texts[0]?.text ?? ''
}
