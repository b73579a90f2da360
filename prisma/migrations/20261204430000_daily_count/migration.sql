-- What is counted by day, without who did it. The number is the sum over all connections, so that none waits for another.
CREATE TABLE daily_count (
    day DATE NOT NULL,
    kind VARCHAR(20) NOT NULL,
    label VARCHAR(200) NOT NULL,
    backend INTEGER NOT NULL,
    count INTEGER NOT NULL,
    CONSTRAINT daily_count_pkey PRIMARY KEY (day, kind, label, backend)
);

-- Searches of today without results. The hash is of the day, the words and the reader, so that it links nothing else.
CREATE TABLE search_miss (
    day DATE NOT NULL,
    words VARCHAR(200) NOT NULL,
    reader_hash CHAR(32) NOT NULL,
    CONSTRAINT search_miss_pkey PRIMARY KEY (day, words, reader_hash)
);
