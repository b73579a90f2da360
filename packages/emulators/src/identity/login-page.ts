import { escapeHtml, palette } from '../http/html.ts'
import { type Person, seededPeople } from './people.ts'

type LoginPage = {
  /** The emulated provider, such as `GitHub`. */
  emulates: string
  action: string
  /** The final redirect. The policy names it, because browsers apply `form-action` to redirects too. */
  redirectUri: string
  /** An address to suggest under `Someone else`. */
  hint?: string | undefined
  /** The rejected form and its error. */
  refused?: { problem: string; form: URLSearchParams } | undefined
}

/** Returns the page that selects a person, and its Content-Security-Policy. */
export function loginPage(options: LoginPage): { html: string; policy: string } {
  const { emulates, action, redirectUri, hint, refused } = options
  const chosen = refused?.form.get('person') ?? (hint ? 'other' : 'ada')
  const typed = (name: string, otherwise = '') => escapeHtml(refused?.form.get(name) ?? otherwise)
  const choice = (key: string, title: string, note: string) => `<label class="choice">
<input type="radio" name="person" value="${key}" id="${key}" required${chosen === key ? ' checked' : ''}>
<span><span class="name">${escapeHtml(title)}</span><span class="note">${note}</span></span></label>`
  const people = Object.entries(seededPeople).map(([key, person]) =>
    choice(key, person.name ?? '', noteOn(person)),
  )
  const isVerified = refused ? refused.form.get('verified') === 'on' : true
  const html = page(
    'Sign in',
    `<h1>Choose who to sign in as</h1>
<p class="lead">An emulator of ${escapeHtml(emulates)}, on this machine only. These people are not real and need no password.</p>
${refused ? `<p class="problem" id="problem" role="alert">${escapeHtml(refused.problem)}</p>` : ''}
<form method="post" action="${escapeHtml(action)}"${refused ? ' aria-describedby="problem"' : ''}>
<fieldset><legend>People</legend>
${people.join('\n')}
${choice('other', 'Someone else', 'Any name and email address')}
<div class="typed"><div class="fields">
<div><label for="name">Name</label>
<input id="name" name="name" autocomplete="off" maxlength="200" value="${typed('name')}"></div>
<div><label for="email">Email address</label>
<input id="email" name="email" type="email" inputmode="email" autocomplete="off" autocapitalize="none" spellcheck="false" maxlength="254" value="${typed('email', hint)}"></div></div>
<label class="tick"><input type="checkbox" name="verified"${isVerified ? ' checked' : ''}> The email address is verified</label>
</div></fieldset>
<div class="actions"><button name="answer" value="continue">Continue</button>
<button name="answer" value="cancel" class="quiet" formnovalidate>Cancel</button></div>
</form>`,
  )
  const targets = `'self' ${new URL(redirectUri).origin}`
  const policy = `default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action ${targets}; base-uri 'none'; frame-ancestors 'none'`
  return { html, policy }
}

/** Returns a plain page. `paragraphs` are HTML. */
export function noticePage(title: string, paragraphs: string[]): string {
  return page(
    title,
    `<h1>${escapeHtml(title)}</h1>${paragraphs.map((text) => `<p class="lead">${text}</p>`).join('\n')}`,
  )
}

function noteOn({ email, emailVerified }: Person) {
  return `${escapeHtml(email ?? '')} · ${emailVerified ? 'verified' : '<strong>not verified</strong>'}`
}

function page(title: string, body: string) {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} · Tidings emulator</title><link rel="icon" href="data:,"><style>${styles}</style></head>
<body><main><p class="mark">Emulator</p>${body}</main></body></html>`
}

const styles = `
${palette}
* { box-sizing: border-box }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.5 Figtree, system-ui, sans-serif }
main { max-width: 27rem; margin: 0 auto; padding: 1.25rem 1.25rem 1.5rem }
h1 { font: 500 1.5rem/1.25 Newsreader, Georgia, serif; margin: 0 0 .375rem; overflow-wrap: anywhere }
a { color: var(--accent) }
.mark { display: inline-block; margin: 0 0 .75rem; padding: 0 .5rem; color: var(--accent); border: 1px solid var(--accent); border-radius: .25rem; font-size: .8125rem; font-weight: 600 }
.lead { margin: 0 0 1rem; color: var(--quiet); font-size: .9375rem; overflow-wrap: anywhere }
.problem { margin: 0 0 1rem; color: var(--accent); font-weight: 600 }
fieldset { margin: 0; padding: 0; border: 0; border-top: 1px solid var(--rule) }
legend { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%) }
.choice { display: flex; gap: .75rem; align-items: center; min-height: 3.5rem; padding: .375rem 0; border-bottom: 1px solid var(--rule); cursor: pointer }
.choice > span { min-width: 0 }
.choice:hover .name { text-decoration: underline }
.name { display: block; font: 1.125rem/1.4 Newsreader, Georgia, serif }
.note { display: block; color: var(--quiet); font-size: .8125rem; overflow-wrap: anywhere }
.note strong { color: var(--accent); font-weight: 600 }
input[type=radio], input[type=checkbox] { flex: none; width: 1.25rem; height: 1.25rem; margin: 0; accent-color: var(--accent) }
.typed { padding: .75rem 0; border-bottom: 1px solid var(--rule) }
fieldset:not(:has(#other:checked)) .typed { display: none }
.fields { display: grid; gap: 0 .75rem; grid-template-columns: repeat(auto-fit, minmax(min(100%, 11rem), 1fr)) }
.typed label { display: block; font-size: .8125rem; color: var(--quiet) }
.typed input:not([type=checkbox]) { display: block; width: 100%; min-height: 3rem; margin: .125rem 0 .75rem; padding: 0 .75rem; font: inherit; color: inherit;
  background: transparent; border: 1px solid var(--quiet); border-radius: .25rem }
.typed .tick { display: flex; gap: .75rem; align-items: center; min-height: 3rem; color: var(--ink); font-size: 1rem; cursor: pointer }
.actions { display: flex; gap: .75rem; margin-top: 1.25rem }
button { flex: 1; min-height: 3rem; padding: 0 1rem; font: inherit; font-weight: 600; color: var(--paper); background: var(--ink);
  border: 1px solid var(--ink); border-radius: .25rem; cursor: pointer }
button.quiet { color: var(--ink); background: transparent; border-color: var(--quiet) }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px }
`
