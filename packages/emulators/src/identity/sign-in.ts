/** The callback's address and, when it is posted, its form. */
export type SignedIn = { url: URL; body?: URLSearchParams }

/**
 * Signs in as a browser does and returns the callback without calling it. Throws when the login page is missing or
 * rejects the form.
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
    let response = await ask(here, body)
    while (response.next?.origin === start.origin) {
      here = response.next
      response = await ask(here)
    }
    return { ...response, here }
  }

  const page = await follow(start)
  if (page.reply.status !== 200) throw new Error(`No login page: ${page.reply.status} ${page.text}`)
  const { reply, text, next } = await follow(page.here, new URLSearchParams(form))
  if (next) return { url: next }
  const posted = /<form method="post" action="(http[^"]+)"/.exec(text)?.[1]
  if (!posted) throw new Error(`Login rejected: ${reply.status} ${text}`)
  const sent = new URLSearchParams()
  for (const [, name = '', value = ''] of text.matchAll(
    /<input type="hidden" name="([^"]+)" value="([^"]*)"/g,
  )) {
    sent.append(name, value)
  }
  return { url: new URL(posted), body: sent }
}
