import { mailTest } from '../fixtures.ts'
import type { InboxReader } from '../mail/inbox.ts'

export const verificationWords = 'Confirm your email address'

/** Returns the `it` of a file that opens the links of verification emails and submits their page. */
export function verificationTest(env: Record<string, string> = {}) {
  return (
    mailTest({ env: { SITE_URL: 'https://news.example.com', ...env } })
      .extend('isVerified', { scope: 'file' }, ({ members }) => async (headers: Record<string, string>) => {
        const { data } = (await members.call('GET', '/member', { headers })).json()
        return data.verified
      })
      .extend('linkFieldsOf', { scope: 'file' }, ({ inbox }) => async (email: string) => {
        return Object.fromEntries((await linkTo(inbox, email)).searchParams)
      })
      // Submits the form of the page.
      .extend(
        'submit',
        { scope: 'file' },
        ({ site }) =>
          (
            fields: Record<string, string>,
            { from, token, cookie }: { from?: string; token?: string; cookie?: string } = {},
          ) =>
            site.app.inject({
              method: 'POST',
              url: '/auth/verify-email/confirm',
              headers: {
                'content-type': 'application/x-www-form-urlencoded',
                ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
                ...(cookie === undefined ? {} : { cookie }),
              },
              payload: new URLSearchParams(fields).toString(),
              ...(from === undefined ? {} : { remoteAddress: from }),
            }),
      )
  )
}

/** Returns the URL of the button in the newest verification email. */
export async function linkTo(inbox: InboxReader, email: string): Promise<URL> {
  const { text } = await inbox.mailTo(email, verificationWords)
  return new URL(/^https?:.*$/m.exec(text)?.[0] ?? 'none')
}
