import { expect } from '@playwright/test'
import { siteUnderTest } from '../site-under-test.config.ts'

type Mail = { subject: string; text: string }

/** What the mails say they are about. */
export const about = {
  login: 'Your code to log in',
  signup: 'Your code to sign up',
  reset: 'Your code for a new password',
  verification: 'Is this your address?',
  newPassword: 'Your password was changed',
  newAddress: 'Your address was changed',
}

/** The newest mail about something to an address, once there are as many of them as `count` says. */
export async function mailTo(address: string, subjectLine: string, count = 1): Promise<Mail> {
  let mails: Mail[] = []
  const arrived = async () => {
    const answer = await fetch(`${siteUnderTest.inboxUrl()}/messages?to=${encodeURIComponent(address)}`)
    const all: Mail[] = await answer.json()
    mails = all.filter(({ text }) => text.includes(subjectLine))
    return mails.length
  }
  await expect.poll(arrived, `mails to ${address}: ${subjectLine}`).toBeGreaterThanOrEqual(count)
  const [newest] = mails
  if (newest === undefined) throw new Error('The inbox lost its mails')
  return newest
}

/** The code in that mail. */
export async function codeTo(address: string, subjectLine: string, count = 1): Promise<string> {
  const { text } = await mailTo(address, subjectLine, count)
  return /\b\d{6}\b/.exec(text)?.[0] ?? `no code in: ${text}`
}

/** A code of six digits that is another one. */
export function otherThan(code: string): string {
  return code === '111111' ? '222222' : '111111'
}
