/** What comes back from a sign-in: the callback's address and, when it is posted, its form. */
export type SignedIn = { url: URL; body?: URLSearchParams }

/**
 * Goes through a stand-in's login as a browser would: follows `start` to the login page, posts the form (its fields
 * are told at `readLoginForm`) and follows on to the address that leaves the stand-in, which is not called.
 * Throws when the login page does not come or refuses the form.
 */
export async function signIn(start: URL, form: Record<string, string>): Promise<SignedIn> {
  const cookies = new Map<string, string>()

  async function ask(url: URL, body?: URLSearchParams) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const init = body ? { method: 'POST', body } : {}
    const reply = await fetch(url, { ...init, redirect: 'manual', headers: { cookie } })
    for (const line of reply.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      cookies.set(name, value)
    }
    const target = reply.headers.get('location')
    return { reply, text: await reply.text(), next: target ? new URL(target, url) : null }
  }

  async function follow(url: URL, body?: URLSearchParams) {
    let here = url
    let answer = await ask(here, body)
    while (answer.next?.origin === start.origin) {
      here = answer.next
      answer = await ask(here)
    }
    return { ...answer, here }
  }

  const page = await follow(start)
  if (page.reply.status !== 200) throw new Error(`There is no login page: ${page.reply.status} ${page.text}`)
  const { reply, text, next } = await follow(page.here, new URLSearchParams(form))
  if (next) return { url: next }
  const posted = /<form method="post" action="(http[^"]+)"/.exec(text)?.[1]
  if (!posted) throw new Error(`The login was refused: ${reply.status} ${text}`)
  const sent = new URLSearchParams()
  for (const [, name = '', value = ''] of text.matchAll(
    /<input type="hidden" name="([^"]+)" value="([^"]*)"/g,
  )) {
    sent.append(name, value)
  }
  return { url: new URL(posted), body: sent }
}
