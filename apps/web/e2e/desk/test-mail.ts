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
