import type { MembershipClient } from '@tidings/client'
import { isWebAddress } from './web-address.ts'

type Content = Awaited<ReturnType<MembershipClient['getSecureContent']>>['data']

/** Fills an element with content by its type. Nothing in it runs as a script. */
export function fillElement(element: HTMLElement, { type, content }: Content, contentId: string): void {
  element.replaceChildren(...nodesOf(type, content, contentId))
}

function nodesOf(type: Content['type'], content: string, contentId: string): (Node | string)[] {
  switch (type) {
    case 'HTML':
      return [...inertNodes(content)]
    case 'TEXT':
    case 'JSON':
      return [content]
    case 'IMAGE':
      return isWebAddress(content) ? [imageOf(content)] : []
    case 'LINK':
    case 'FILE':
      return isWebAddress(content) ? [linkOf(content, type)] : []
    case 'CSS':
      return [styleOf(content)]
    case 'JS':
      // biome-ignore lint/suspicious/noConsole: the page's developer has to know why nothing runs
      console.warn(
        `The secure content '${contentId}' is a script. The widget never runs scripts of secure content.`,
      )
      return []
  }
}

const runnable = 'script, frame, frameset, object, embed, base, meta, link, template, portal'

/** Parses HTML in a document without scripts, and removes what could run one in the page. */
function inertNodes(html: string): NodeListOf<ChildNode> {
  const { body } = new DOMParser().parseFromString(html, 'text/html')
  for (const element of body.querySelectorAll(runnable)) element.remove()
  for (const element of body.querySelectorAll('*')) {
    for (const { name, value } of [...element.attributes]) {
      if (isRunnable(name, value)) element.removeAttribute(name)
    }
  }
  return body.childNodes
}

/** Returns whether an attribute is a handler, or an address that runs a script, also one that an animation sets. */
function isRunnable(name: string, value: string): boolean {
  if (/^on|^srcdoc$/i.test(name)) return true
  // Browsers skip control characters and spaces in an address.
  const text = [...value].filter((character) => character > ' ').join('')
  return /(?:^|;)(?:javascript|vbscript|data:text|data:image\/svg)/i.test(text)
}

function imageOf(address: string): Node {
  const image = document.createElement('img')
  image.alt = ''
  image.src = address
  return image
}

function linkOf(address: string, type: 'LINK' | 'FILE'): Node {
  const link = document.createElement('a')
  link.href = address
  link.rel = 'noopener'
  const path = new URL(link.href).pathname.split('/').pop() ?? ''
  link.textContent = type === 'FILE' && path !== '' ? path : address
  return link
}

function styleOf(rules: string): Node {
  const style = document.createElement('style')
  style.textContent = rules
  return style
}
