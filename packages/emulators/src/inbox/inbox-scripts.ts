/** Renews the list of messages in place, so that the filter keeps what is typed and a focused link its focus. */
export const renewList = `
const renew = async () => {
  const reply = await fetch(location.href).catch(() => null)
  if (reply === null || !reply.ok) return
  const page = new DOMParser().parseFromString(await reply.text(), 'text/html')
  for (const part of document.querySelectorAll('[data-renewed]')) {
    const renewed = page.getElementById(part.id)
    if (renewed === null || renewed.innerHTML === part.innerHTML) continue
    const focused = part.contains(document.activeElement) ? document.activeElement.getAttribute('href') : null
    part.innerHTML = renewed.innerHTML
    if (focused !== null) part.querySelector('a[href="' + focused + '"]')?.focus()
  }
}
setInterval(renew, 5000)
`

/** Makes the frame of an email as tall as its content, also once its images have loaded. */
export const growFrame = `
const frame = document.querySelector('iframe')
const fit = () => {
  const { documentElement, scrollingElement, body } = frame.contentDocument
  const scroller = scrollingElement ?? documentElement
  const top = window.scrollY
  // A frame without height shows how tall the content is by itself.
  frame.style.height = '0'
  const height = Math.max(scroller.scrollHeight, Math.ceil(body.getBoundingClientRect().height))
  const bars = frame.offsetHeight - frame.clientHeight
  const scrollbar = scroller.scrollWidth > scroller.clientWidth ? 20 : 0
  frame.style.height = height + bars + scrollbar + 'px'
  window.scrollTo(window.scrollX, top)
}
const watch = () => {
  if (frame.contentDocument?.body == null) return
  fit()
  new ResizeObserver(fit).observe(frame.contentDocument.body)
}
if (frame !== null) {
  frame.addEventListener('load', watch)
  if (frame.contentDocument?.readyState === 'complete') watch()
}
`
