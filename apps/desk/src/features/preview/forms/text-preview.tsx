import { renderText } from '../rendering/preview-calls.ts'
import { type PreviewedEdition, unsavedOf } from '../rendering/previewed-edition.ts'
import { RenderedByServer } from '../rendering/rendered-by-server.tsx'
import { useRendering } from '../rendering/use-rendering.ts'

/** The text message of the edition, with its parts and price. */
export function TextPreview({ edition }: { edition: PreviewedEdition }) {
  const rendering = useRendering(`text ${edition.key}`, unsavedOf(edition), renderText)
  return (
    <RenderedByServer rendering={rendering}>
      {({ text, segments, price, texts }) => (
        <div className="preview-scroll">
          <p className="preview-bubble" dir="auto">
            {text}
          </p>
          <p className="meta">
            {`${segments === 1 ? '1 part' : `${segments} parts`}, ${moneyText(price)} for each member.`}
            {texts !== null &&
              texts.texts > 0 &&
              ` To ${texts.texts === 1 ? '1 member' : `${texts.texts} members`}: ${moneyText(texts)}.`}
          </p>
        </div>
      )}
    </RenderedByServer>
  )
}

/** Returns `$0.0079`: the price of one text is less than a cent. */
function moneyText({ amount, currency }: { amount: number; currency: string }): string {
  const digits = amount < 1 ? { maximumFractionDigits: 4 } : {}
  return new Intl.NumberFormat('en', { style: 'currency', currency, ...digits }).format(amount)
}
