import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { ModalResult } from '../dialogs/open-modal.ts'
import { connectPage, type PageDeps } from './page-elements.ts'
import type { PageMember } from './shown-content.ts'

type Content = Awaited<ReturnType<PageDeps['calls']['getSecureContent']>>['data']

const member: PageMember = { id: 'mem_ada', permissions: ['paid'], planConnections: [] }
const opened: string[] = []
const requested: string[] = []
let content: () => Promise<Content>
let session: PageMember | null
let settle: (type: ModalResult['type']) => void
let changeMember: (next: PageMember | null) => void
let disconnect = () => {}

/** Connects a page with this HTML and session. */
async function open(html: string, visitor: PageMember | null = null): Promise<void> {
  session = visitor
  document.body.innerHTML = html
  const calls = {
    getMemberToken: () => (session === null ? undefined : 'token'),
    getCurrentMember: async () => ({ data: session }),
    getSecureContent: async ({ contentId }: { contentId: string }) => {
      requested.push(contentId)
      return { data: await content() }
    },
    logout: async () => opened.push('logout'),
    onAuthChange(callback: typeof changeMember) {
      changeMember = (next) => {
        session = next
        callback(next)
      }
      return { unsubscribe() {} }
    },
  }
  const modals = {
    openModal(type: string) {
      opened.push(type)
      return new Promise<ModalResult>((resolve) => {
        settle = (result) => resolve({ type: result, data: {} })
      })
    },
    hideModal: () => opened.push('hide'),
    load: async () => {},
    prepare: async () => opened.push('prepare'),
  }
  const deps: unknown = { calls, modals }
  if (!isPage(deps)) throw new Error('No page')
  disconnect = connectPage(deps)
  await mutated()
}

function isPage(value: unknown): value is PageDeps {
  return value instanceof Object && 'calls' in value
}

/** Waits until observers and calls are done. */
async function mutated(): Promise<void> {
  await vi.waitFor(() => expect(document.body).toBeDefined())
  for (let turn = 0; turn < 10; turn += 1) await Promise.resolve()
  await new Promise((resolve) => {
    const observer = new MutationObserver(resolve)
    observer.observe(document.documentElement, { attributes: true })
    document.documentElement.toggleAttribute('data-turn')
  })
}

const click = async (id: string) => {
  document.getElementById(id)?.click()
  await mutated()
}
const visible = () => [...document.querySelectorAll<HTMLElement>('[id]:not([hidden])')].map(({ id }) => id)

beforeEach(() => {
  opened.length = 0
  requested.length = 0
})
afterEach(() => {
  disconnect()
  vi.restoreAllMocks()
})

describe('data-membership-content', () => {
  const html = `<p id="m" data-membership-content="members"></p><p id="v" data-membership-content="visitors"></p>
    <p id="plan" data-membership-content="plan:pln_a"></p><p id="perm" data-membership-content="permission:paid"></p>
    <p id="odd" data-membership-content="member"></p>`

  it('follows the member, the plans and the permissions', async () => {
    await open(html)
    expect(visible()).toEqual(['v'])
    changeMember({ id: 'mem_ada', permissions: [], planConnections: [] })
    expect(visible()).toEqual(['m'])
    const connection = {
      id: 'con_1',
      planId: 'pln_a',
      planName: 'A',
      active: true,
      status: 'ACTIVE',
    } as const
    const planConnections = [{ ...connection, type: 'FREE', payment: null } as const]
    changeMember({ ...member, planConnections })
    expect(visible()).toEqual(['m', 'plan', 'perm'])
    changeMember({
      ...member,
      planConnections: [{ ...connection, active: false, type: 'FREE', payment: null }],
    })
    expect(visible()).toEqual(['m', 'perm'])
  })

  it('shows nothing until the session is known, and follows added elements and changed conditions', async () => {
    await open('<p id="a" data-membership-content="members"></p>', member)
    expect(visible()).toEqual(['a'])
    document.body.insertAdjacentHTML('beforeend', html)
    await mutated()
    expect(visible()).toEqual(['a', 'm', 'perm'])
    document.getElementById('v')?.setAttribute('data-membership-content', 'members')
    await mutated()
    expect(visible()).toEqual(['a', 'm', 'v', 'perm'])
  })
})

describe('data-membership', () => {
  const html = `<button id="login" data-membership="login"><b id="inner">x</b></button>
    <a id="signup" href="#x" data-membership="signup">x</a><button id="out" data-membership="logout">x</button>
    <button id="forgot" data-membership="forgot-password">x</button><button id="me" data-membership="profile">x</button>`

  it.each(['LOGIN', 'SIGNUP', 'LOGOUT'] as const)('closes its dialog after %s', async (result) => {
    await open(html)
    await click('inner')
    settle(result)
    await mutated()
    expect(opened).toEqual(['LOGIN', 'hide'])
  })

  it('leaves the success screen of a new password open until the login', async () => {
    await open(html)
    await click('forgot')
    settle('PASSWORD_RESET')
    await mutated()
    expect(opened).toEqual(['FORGOT_PASSWORD'])
    changeMember(member)
    await mutated()
    expect(opened).toEqual(['FORGOT_PASSWORD', 'hide'])
  })

  it('opens the profile after a login, and not after a closed one', async () => {
    await open(html)
    await click('me')
    settle('CLOSED')
    await mutated()
    expect(opened).toEqual(['LOGIN'])
    await click('me')
    session = member
    settle('LOGIN')
    await mutated()
    expect(opened).toEqual(['LOGIN', 'LOGIN', 'hide', 'PROFILE'])
  })

  it('loads the dialogs ahead, logs out, and ignores other values and modified clicks', async () => {
    await open(`${html}<i id="other" data-membership="other"></i>`, member)
    document.getElementById('inner')?.dispatchEvent(new Event('pointerover', { bubbles: true }))
    await click('other')
    const modified = new MouseEvent('click', { ctrlKey: true, bubbles: true })
    document.getElementById('signup')?.dispatchEvent(modified)
    await click('out')
    expect(opened).toEqual(['prepare', 'logout'])
  })
})

describe('data-membership-secure', () => {
  const html = '<div id="s" data-membership-secure="welcome">before</div>'
  const filled = () => document.getElementById('s')?.innerHTML

  it.each<[Content['type'], string, string]>([
    [
      'HTML',
      '<p onclick="x()">Hi <a href=" java\tscript:x()">a</a><script>x()</script><img src="a.png" onerror="x()"></p>',
      '<p>Hi <a>a</a><img src="a.png"></p>',
    ],
    ['TEXT', '<b>x</b>', '&lt;b&gt;x&lt;/b&gt;'],
    ['JSON', '{"a":1}', '{"a":1}'],
    ['IMAGE', 'https://a.example/x.png', '<img alt="" src="https://a.example/x.png">'],
    ['LINK', 'https://a.example/', '<a href="https://a.example/" rel="noopener">https://a.example/</a>'],
    ['FILE', 'https://a.example/b/c.pdf', '<a href="https://a.example/b/c.pdf" rel="noopener">c.pdf</a>'],
    ['LINK', 'javascript:alert(1)', ''],
    ['FILE', 'data:text/html,x', ''],
    ['CSS', 'p { color: red }', '<style>p { color: red }</style>'],
  ])('fills %s safely: %s', async (type, text, expected) => {
    content = async () => ({ type, content: text })
    await open(html, member)
    await vi.waitFor(() => expect(filled()).toBe(expected))
  })

  it('never runs a script, and says so', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    content = async () => ({ type: 'JS', content: 'document.title = "run"' })
    await open(html, member)
    await vi.waitFor(() =>
      expect(warn).toHaveBeenCalledWith(expect.stringContaining("'welcome' is a script")),
    )
    expect(filled()).toBe('')
  })

  it('is empty for visitors, after a logout and without access, and requests once per access', async () => {
    content = async () => ({ type: 'TEXT', content: 'secret' })
    await open(html)
    expect([filled(), requested]).toEqual(['', []])
    changeMember(member)
    await vi.waitFor(() => expect(filled()).toBe('secret'))
    changeMember({ ...member })
    expect(requested).toEqual(['welcome'])
    changeMember(null)
    expect(filled()).toBe('')
    content = async () => Promise.reject(Object.assign(new Error('No'), { code: 'access-denied' }))
    changeMember(member)
    await mutated()
    window.dispatchEvent(new Event('online'))
    await mutated()
    expect([filled(), requested]).toEqual(['', ['welcome', 'welcome']])
  })

  it('drops a response that arrives after the logout, and loads again when the browser is back online', async () => {
    const held = Promise.withResolvers<Content>()
    content = () => held.promise
    await open(html, member)
    changeMember(null)
    held.resolve({ type: 'TEXT', content: 'secret' })
    await mutated()
    expect(filled()).toBe('')
    content = async () => Promise.reject(new Error('offline'))
    changeMember(member)
    await mutated()
    content = async () => ({ type: 'TEXT', content: 'secret' })
    window.dispatchEvent(new Event('online'))
    await vi.waitFor(() => expect(filled()).toBe('secret'))
  })
})
