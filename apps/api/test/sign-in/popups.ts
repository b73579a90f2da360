import { type ErrorReply, errorReply } from '@tidings/contracts/errors'
import { type SignedIn, signIn } from '@tidings/emulators/identity/sign-in'
import { z } from 'zod'

/** The result page of a popup in a browser. */
export type PopupEnd = {
  status: number
  headers: Headers
  html: string
  /** The message for the page that opened the popup. */
  message: unknown
  /** The target origins of the message. */
  origins: string[]
}

/** A popup that shows the provider's page. */
export type OpenPopup = { atProvider: URL; headers: Headers }

export type PopupQuery = Readonly<Record<string, string>>

export type PopupBrowser = ReturnType<typeof createPopupBrowser>

const pageData = z.object({ message: z.unknown(), origins: z.array(z.string()) })
const failureMessage = z.strictObject(errorReply.shape)

/** Creates a browser with its own cookies that opens sign-in popups of the site at this URL. */
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

  async function callback(back: SignedIn): Promise<PopupEnd> {
    return await endOf(await ask(back.url, back.body ? { method: 'POST', body: back.body } : {}))
  }

  return {
    /** Returns the names of the flow cookies. */
    cookies: () => [...cookies.keys()].filter((name) => name.startsWith('tidings_flow_')),
    cookie: (name: string) => cookies.get(name),
    setCookie: (name: string, value: string) => cookies.set(name, value),
    /** Opens a popup; the response is a redirect to the provider or a page. */
    request: (mode: string, query: PopupQuery) =>
      ask(new URL(`/auth-provider/${mode}?${new URLSearchParams(query)}`, site)),
    /** Opens a popup. Throws unless it leads to the provider. */
    async open(mode: string, query: PopupQuery): Promise<OpenPopup> {
      if (mode === 'connect') return await this.confirm(await this.request(mode, query))
      const { status, headers } = await this.request(mode, query)
      if (status !== 302) throw new Error(`The popup did not lead to a provider: ${status}`)
      return { atProvider: new URL(headers.get('location') ?? ''), headers }
    },
    /** Submits the confirmation page that precedes a connection. */
    async confirm(page: Response, origin = new URL(site).origin): Promise<OpenPopup> {
      const reply = await this.sendForm(await page.text(), origin)
      const html = await reply.text()
      const [, address = ''] = /<meta http-equiv="refresh" content="0;url=([^"]+)">/.exec(html) ?? []
      if (reply.status !== 200) throw new Error(`The form led nowhere: ${reply.status} ${html}`)
      return { atProvider: new URL(address.replaceAll('&amp;', '&')), headers: reply.headers }
    },
    /** Sends the form of the confirmation page from this origin. */
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
    /** Calls the callback with the provider's response. */
    callback,
    /** Opens the popup, signs in with `form` and calls the callback. */
    async visit(mode: string, query: PopupQuery, form: Record<string, string>): Promise<PopupEnd> {
      const { atProvider } = await this.open(mode, query)
      return await callback(await signIn(atProvider, form))
    },
    /** Opens a popup that is refused without a redirect. */
    async refused(mode: string, query: PopupQuery): Promise<PopupEnd> {
      return await endOf(await this.request(mode, query))
    },
  }
}

/** Returns the error of a result page. Throws for any other result. */
export function failureOf({ message }: PopupEnd): ErrorReply['error'] {
  return failureMessage.parse(message).error
}

/** Returns the login form of a person that the emulator does not know yet. */
export function newPerson(email: string, { verified = true, name = 'New Person' } = {}) {
  return { person: 'other', name, email, ...(verified ? { verified: 'on' } : {}) }
}

async function endOf(reply: Response): Promise<PopupEnd> {
  const html = await reply.text()
  const json = /<script type="application\/json" id="data">([^<]*)<\/script>/.exec(html)?.[1]
  if (json === undefined) throw new Error(`This is not the result page of a popup: ${reply.status} ${html}`)
  return { status: reply.status, headers: reply.headers, html, ...pageData.parse(JSON.parse(json)) }
}
