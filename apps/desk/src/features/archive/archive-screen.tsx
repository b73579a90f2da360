import './archive.css'
import type { ArchiveSearch } from './archive-calls.ts'
import { ArchiveFilters } from './archive-filters.tsx'
import { DeletedMemos } from './deleted-memos.tsx'
import { EditionDays } from './edition-days.tsx'
import { FoundMemos } from './found-memos.tsx'
import { SearchField } from './search-field.tsx'

type Props = { search: ArchiveSearch; onSearch: (search: ArchiveSearch) => void }

/** Searches the memos of every status and field; without words, it lists the days with their editions. */
export function ArchiveScreen({ search, onSearch }: Props) {
  const { q } = search
  return (
    <div className="page archive">
      <header className="archive-head">
        <h1>Archive</h1>
        <SearchField
          words={q ?? ''}
          onSearch={(words) => onSearch({ ...search, q: words === '' ? undefined : words })}
        />
      </header>
      <ArchiveFilters search={search} onSearch={onSearch} />
      {q === undefined ? <EditionDays search={search} /> : <FoundMemos search={search} words={q} />}
      <DeletedMemos search={search} />
    </div>
  )
}
