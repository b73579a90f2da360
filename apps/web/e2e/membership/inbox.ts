import { expect } from '@playwright/test'
import { siteUnderTest } from '../site-under-test.config.ts'

type Mail = { text: string }

/** What the mails say they are about. */
export const about = {
  login: 'Your login code',
  signup: 'Your sign-up code',
  reset: 'Your password reset code',
  verification: 'Confirm your email address',
  newPassword: 'Your password was changed',
  newAddress: 'Your email address was changed',
}

/** The newest mail to an address that says this phrase, once there are as many of them as `count` says. */
export async function mailTo(address: string, phrase: string, count = 1): Promise<Mail> {
  let mails: Mail[] = []
  const arrived = async () => {
    mails = (await mailsTo(address)).filter(({ text }) => text.includes(phrase))
    return mails.length
  }
  await expect.poll(arrived, `mails to ${address}: ${phrase}`).toBeGreaterThanOrEqual(count)
  const [newest] = mails
  if (newest === undefined) throw new Error('The inbox lost its mails')
  return newest
}

/** All mails to an address, newest first. */
export async function mailsTo(address: string): Promise<Mail[]> {
  const answer = await fetch(`${siteUnderTest.inboxUrl()}/messages?to=${encodeURIComponent(address)}`)
  const all: unknown = await answer.json()
  if (!Array.isArray(all) || !all.every(isMail)) throw new Error('The inbox answers no list of mails')
  return all
}

function isMail(value: unknown): value is Mail {
  return typeof value === 'object' && value !== null && 'text' in value && typeof value.text === 'string'
}

/** The code in that mail. */
export async function codeTo(address: string, phrase: string, count = 1): Promise<string> {
  const { text } = await mailTo(address, phrase, count)
  const code = /\b\d{6}\b/.exec(text)?.[0]
  if (code === undefined) throw new Error(`There is no code in: ${text}`)
  return code
}

/** A code of six digits that is another one. */
export function otherThan(code: string): string {
  return code === '111111' ? '222222' : '111111'
}
