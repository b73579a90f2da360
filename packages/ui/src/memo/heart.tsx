/** A heart icon in the color of the text. */
export function Heart({ isFilled }: { isFilled: boolean }) {
  return (
    <svg className="heart" viewBox="0 0 24 24" width="20" height="20" aria-hidden="true" focusable="false">
      <path
        d="M12 20.6 10.6 19.4C5.6 14.9 2.4 12 2.4 8.4 2.4 5.5 4.7 3.3 7.5 3.3c1.7 0 3.4.8 4.5 2.1 1.1-1.3 2.8-2.1 4.5-2.1 2.8 0 5.1 2.2 5.1 5.1 0 3.6-3.2 6.5-8.2 11Z"
        fill={isFilled ? 'currentColor' : 'none'}
        stroke="currentColor"
        strokeWidth="1.5"
        strokeLinejoin="round"
      />
    </svg>
  )
}
