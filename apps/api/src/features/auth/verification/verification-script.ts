import { getMember } from '@tidings/contracts/membership/routes'

/**
 * Confirms with the browser's session, where the site's client has stored one of this member: shows a button in place of
 * the password, and sends the access token, which only scripts of this site can read. The server says whose session it is.
 */
export const verificationScript = `
const { email, appId, publicKey } = JSON.parse(document.getElementById('data').textContent)
const attempt = (act) => { try { return act() } catch { return null } }
const tokenOf = () => attempt(() => localStorage.getItem('_ms-mid')) ??
  attempt(() => decodeURIComponent(/(?:^|; )_ms-mid=([^;]*)/.exec(document.cookie)[1]))
const cachedMember = () => attempt(() => JSON.parse(localStorage.getItem('_ms-mem')))
const bySession = document.getElementById('by-session')
const byPassword = document.getElementById('by-password')
const status = bySession.querySelector('[role=status]')

function show(isOwn) {
  bySession.hidden = !isOwn
  byPassword.hidden = isOwn
}

async function isMember(token) {
  const headers = { authorization: 'Bearer ' + token, 'x-api-key': publicKey, 'x-app-id': appId }
  const reply = await fetch('${getMember.path}', { headers })
  return (await reply.json()).data?.auth?.email === email
}

// Open tabs of the site follow the stored member.
function storeConfirmed() {
  const member = cachedMember()
  if (member?.auth?.email !== email) return
  attempt(() => localStorage.setItem('_ms-mem', JSON.stringify({ ...member, verified: true })))
}

function swapPage(text) {
  const page = new DOMParser().parseFromString(text, 'text/html')
  const main = page.querySelector('main')
  if (main === null) throw new Error('no page')
  document.title = page.title
  document.querySelector('main').replaceWith(main)
  const target = main.querySelector('[autofocus]') ?? main
  if (target === main) main.tabIndex = -1
  target.focus()
}

for (const input of byPassword.querySelectorAll('[type=password]')) {
  const button = document.createElement('button')
  const label = () => {
    const word = input.type === 'password' ? 'Show' : 'Hide'
    button.textContent = word
    button.setAttribute('aria-label', word + ' password')
  }
  button.type = 'button'
  button.addEventListener('click', () => {
    input.type = input.type === 'password' ? 'text' : 'password'
    label()
  })
  label()
  input.after(button)
}

let isBusy = false
bySession.addEventListener('submit', async (event) => {
  event.preventDefault()
  const token = tokenOf()
  if (token === null) return show(false)
  if (isBusy) return
  isBusy = true
  status.textContent = 'Please wait...'
  try {
    const body = new URLSearchParams(new FormData(bySession))
    const headers = { authorization: 'Bearer ' + token }
    const reply = await fetch(bySession.getAttribute('action'), { method: 'POST', headers, body })
    const text = await reply.text()
    if (reply.ok) storeConfirmed()
    swapPage(text)
  } catch {
    status.textContent = 'We can’t reach the server. Check your connection and try again.'
  }
  isBusy = false
})

const token = tokenOf()
if (token === null) {
  // The login that may follow starts with this address.
  byPassword.addEventListener('submit', () => attempt(() => localStorage.setItem('email', email)))
} else if (cachedMember()?.auth?.email === email) {
  show(true)
} else {
  isMember(token).then((isOwn) => {
    if (isOwn && !byPassword.contains(document.activeElement)) show(true)
  }).catch(() => {})
}
`
