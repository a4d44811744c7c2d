package job

import (
	"context"
	"slices"
	"strconv"
	"strings"
)

// A Shard is one file of a book, and the file with the states of its profiles.
type Shard struct {
	Number int // from 0, in the order of the inputs
	File   string
	States string // empty for none
}

// shardsOf lists the files of patterns, those of each pattern in order of their names, and pairs
// them with the files of states that have the same names but for the endings.
func shardsOf(ctx context.Context, inputs, states []string, expected int) ([]Shard, error) {
	files, err := listAll(ctx, "--input", inputs)
	if err != nil {
		return nil, err
	}
	switch {
	case len(files) == 0:
		return nil, usage("--input is needed", "name the files of the book, such as 'book/*.csv'")
	case expected > 0 && len(files) != expected:
		return nil, unreadable("--shards: "+strconv.Itoa(len(files))+" files, "+strconv.Itoa(expected)+" expected", "look for the missing shard")
	}
	shards := make([]Shard, len(files))
	for i, file := range files {
		shards[i] = Shard{Number: i, File: file}
	}
	if len(states) == 0 {
		return shards, nil
	}
	kept, err := listAll(ctx, "--state", states)
	if err != nil {
		return nil, err
	}
	return shards, pair(shards, kept)
}

func listAll(ctx context.Context, flag string, patterns []string) ([]string, error) {
	var all []string
	seen := map[string]bool{}
	for _, pattern := range patterns {
		files, err := list(ctx, pattern)
		switch {
		case err != nil:
			return nil, unreadable(flag+": the files cannot be listed", "check the path and what may be read")
		case len(files) == 0:
			return nil, unreadable(flag+": no such file: "+pattern, "check the path")
		}
		slices.Sort(files)
		for _, file := range files {
			if seen[file] {
				return nil, usage(flag+": a file is named twice: "+file, "name each file once")
			}
			seen[file] = true
			all = append(all, file)
		}
	}
	return all, nil
}

// pair gives each shard its file of states. Each shard must have one and each file a shard: a
// profile whose state is not found would be forecast as new.
func pair(shards []Shard, states []string) error {
	byName := map[string]string{}
	for _, file := range states {
		if byName[base(file)] != "" {
			return usage("--state: two files have the name of one shard: "+file, "give each shard one file of states")
		}
		byName[base(file)] = file
	}
	for i, s := range shards {
		file := byName[base(s.File)]
		if file == "" {
			return unreadable("--state: no file of states for the shard "+s.File, "name it as the shard, with another ending; an empty file says that all profiles are new")
		}
		shards[i].States = file
		delete(byName, base(s.File))
	}
	for _, file := range states {
		if byName[base(file)] != "" {
			return usage("--state: no shard for the file "+file, "leave it out, or add its shard to --input")
		}
	}
	return nil
}

// A listFlag is a flag that may be repeated.
type listFlag []string

func (l *listFlag) String() string { return strings.Join(*l, " ") }

func (l *listFlag) Set(s string) error {
	*l = append(*l, s)
	return nil
}
