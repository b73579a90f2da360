import { expect } from '@playwright/test'
import { z } from 'zod'
import { siteUnderTest } from '../site-under-test.config.ts'

const mails = z.array(z.object({ subject: z.string(), text: z.string(), html: z.string() }))

/** Waits for an email to an address with these words, and returns it. */
export async function mailWithHtmlTo(address: string, words: string) {
  let found: z.infer<typeof mails>[number] | undefined
  await expect
    .poll(async () => {
      const response = await fetch(`${siteUnderTest.inboxUrl()}/messages?to=${encodeURIComponent(address)}`)
      found = mails.parse(await response.json()).find(({ text }) => text.includes(words))
      return found !== undefined
    })
    .toBe(true)
  if (found === undefined) throw new Error('The inbox lost an email')
  return found
}

/** Lets the mail server refuse these addresses from now on, and no others. */
export async function refuseMailTo(...refuse: string[]): Promise<void> {
  const response = await fetch(`${siteUnderTest.inboxUrl()}/faults`, {
    method: 'PUT',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ refuse }),
  })
  if (!response.ok) throw new Error(`The mail server refused its faults: ${response.status}`)
}

/** Counts the emails to an address. */
export async function countMailTo(address: string): Promise<number> {
  const response = await fetch(`${siteUnderTest.inboxUrl()}/messages?to=${encodeURIComponent(address)}`)
  return mails.parse(await response.json()).length
}
