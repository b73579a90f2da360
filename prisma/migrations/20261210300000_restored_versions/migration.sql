ALTER TYPE text_version_kind ADD VALUE 'restored';
