import { useRef, useState } from 'react'

type Props = { url: string; title: string; isSandboxed: boolean }

// Nothing in it runs. Its links open in windows of their own.
const sandbox = 'allow-same-origin allow-popups allow-popups-to-escape-sandbox'

/** Shows a page of the server. The next one replaces it once it has loaded, at the same scroll position. */
export function SteadyFrame({ url, title, isSandboxed }: Props) {
  const [shownUrl, setShownUrl] = useState(url)
  const shown = useRef<HTMLIFrameElement>(null)
  const urls = url === shownUrl ? [url] : [shownUrl, url]
  const replace = (frame: HTMLIFrameElement) => {
    const [from, to] = [shown.current?.contentWindow, frame.contentWindow]
    if (isSandboxed && frame !== shown.current) to?.scrollTo(0, from?.scrollY ?? 0)
    setShownUrl(url)
  }
  return (
    <div className="preview-frame">
      {urls.map((each) => (
        <iframe
          key={each}
          ref={each === shownUrl ? shown : undefined}
          src={each}
          title={title}
          className={each === shownUrl ? undefined : 'preview-next'}
          aria-hidden={each === shownUrl ? undefined : true}
          {...(isSandboxed && { sandbox })}
          onLoad={({ currentTarget }) => each === url && replace(currentTarget)}
        />
      ))}
    </div>
  )
}
