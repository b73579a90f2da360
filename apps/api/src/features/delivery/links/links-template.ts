import type { FilledText } from '#integrations/mail/bulk-mailer.ts'

/** The links of a delivery that differ for each member. */
export type DeliveryLinks = { webView: string; preferences: string; unsubscribe: string }

// Control characters, which no stored text contains.
const mark = '\u0001'

/** Stands for the links until {@link linksTemplate} fills them in. */
export const linkMarks: DeliveryLinks = {
  webView: `${mark}webView${mark}`,
  preferences: `${mark}preferences${mark}`,
  unsubscribe: `${mark}unsubscribe${mark}`,
}

/** Returns a function that fills a member's links into a text with {@link linkMarks}. */
export function linksTemplate(text: string): (links: DeliveryLinks) => FilledText {
  const split = text.split(new RegExp(`${mark}(webView|preferences|unsubscribe)${mark}`))
  const parts = split.filter((_, index) => index % 2 === 0)
  const names = split.filter((_, index) => index % 2 === 1).filter(isLinkName)
  return (links) => ({ parts, values: names.map((name) => links[name]) })
}

function isLinkName(name: string): name is keyof DeliveryLinks {
  return Object.hasOwn(linkMarks, name)
}
