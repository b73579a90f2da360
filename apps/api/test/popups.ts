import { type ErrorReply, errorReply } from '@tidings/contracts/errors'
import { type SignedIn, signIn } from '@tidings/emulators/identity/sign-in'
import { z } from 'zod'

/** The last page of a popup, as a browser got it. */
export type PopupEnd = {
  status: number
  headers: Headers
  html: string
  /** What the page that opened the popup is told. */
  message: unknown
  /** To whom it is posted. */
  origins: string[]
}

/** A popup that stands at the provider's page. */
export type OpenPopup = { atProvider: URL; headers: Headers }

export type PopupQuery = Readonly<Record<string, string>>

export type PopupBrowser = ReturnType<typeof createPopupBrowser>

const pageData = z.object({ message: z.unknown(), origins: z.array(z.string()) })
const failureMessage = z.strictObject(errorReply.shape)

/** One browser with cookies of its own, which opens popups of social sign-in at the site of this address. */
export function createPopupBrowser(site: string) {
  const cookies = new Map<string, string>()

  async function ask(address: URL, init: RequestInit = {}): Promise<Response> {
    const own = { ...init.headers }
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const reply = await fetch(address, { ...init, redirect: 'manual', headers: { ...own, cookie } })
    for (const line of reply.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (/; Expires=Thu, 01 Jan 1970/i.test(line)) cookies.delete(name)
      else cookies.set(name, value)
    }
    return reply
  }

  async function come(back: SignedIn): Promise<PopupEnd> {
    return await endOf(await ask(back.url, back.body ? { method: 'POST', body: back.body } : {}))
  }

  return {
    /** The names of the cookies that it holds for visits to a provider. */
    cookies: () => [...cookies.keys()].filter((name) => name.startsWith('tidings_flow_')),
    cookie: (name: string) => cookies.get(name),
    setCookie: (name: string, value: string) => cookies.set(name, value),
    /** Opens a popup; the answer may lead to the provider, or be a page. */
    request: (mode: string, query: PopupQuery) =>
      ask(new URL(`/auth-provider/${mode}?${new URLSearchParams(query)}`, site)),
    /** Opens a popup, which has to lead to the provider. */
    async open(mode: string, query: PopupQuery): Promise<OpenPopup> {
      if (mode === 'connect') return await this.confirm(await this.request(mode, query))
      const { status, headers } = await this.request(mode, query)
      if (status !== 302) throw new Error(`The popup did not lead to a provider: ${status}`)
      return { atProvider: new URL(headers.get('location') ?? ''), headers }
    },
    /** Presses the button of the page that asks before a provider is connected. */
    async confirm(page: Response, origin = new URL(site).origin): Promise<OpenPopup> {
      const reply = await this.sendForm(await page.text(), origin)
      const html = await reply.text()
      const [, address = ''] = /<meta http-equiv="refresh" content="0;url=([^"]+)">/.exec(html) ?? []
      if (reply.status !== 200) throw new Error(`The form led nowhere: ${reply.status} ${html}`)
      return { atProvider: new URL(address.replaceAll('&amp;', '&')), headers: reply.headers }
    },
    /** Sends the form of such a page, as a page of this origin. */
    sendForm: (html: string, origin: string) =>
      ask(new URL('/auth-provider/connect', site), {
        method: 'POST',
        headers: { origin },
        body: new URLSearchParams(
          [...html.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)">/g)].map(
            ([, name = '', value = '']): [string, string] => [name, value],
          ),
        ),
      }),
    /** Calls the callback with what came back from the provider. */
    come,
    /** The whole way: opens the popup, signs in as `form` says, and comes back. */
    async visit(mode: string, query: PopupQuery, form: Record<string, string>): Promise<PopupEnd> {
      const { atProvider } = await this.open(mode, query)
      return await come(await signIn(atProvider, form))
    },
    /** A popup that is refused before it leads anywhere. */
    async refused(mode: string, query: PopupQuery): Promise<PopupEnd> {
      return await endOf(await this.request(mode, query))
    },
  }
}

/** The failure that the page is told; throws when it is told anything else. */
export function failureOf({ message }: PopupEnd): ErrorReply['error'] {
  return failureMessage.parse(message).error
}

/** Somebody whom the stand-in does not know yet, as its login form takes them. */
export function somebody(email: string, { verified = true, name = 'Somebody' } = {}) {
  return { person: 'other', name, email, ...(verified ? { verified: 'on' } : {}) }
}

async function endOf(reply: Response): Promise<PopupEnd> {
  const html = await reply.text()
  const json = /<script type="application\/json" id="data">([^<]*)<\/script>/.exec(html)?.[1]
  if (json === undefined) throw new Error(`This is no last page of a popup: ${reply.status} ${html}`)
  return { status: reply.status, headers: reply.headers, html, ...pageData.parse(JSON.parse(json)) }
}
