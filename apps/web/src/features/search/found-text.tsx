import type { SearchText } from '@tidings/contracts/search'

/** A title or a text that was found, with what matches marked. */
export function FoundText({ parts }: { parts: SearchText }) {
  return parts.map(({ text, match }, index) => (match ? <mark key={index}>{text}</mark> : text))
}
