package main

import (
	"context"
	"encoding/json"
	"log"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/twmb/franz-go/pkg/kgo"
)

// runBytes is how much of a tenant stays on one partition, so that batches fill.
const runBytes = 64 << 10

type route struct {
	Partition int     `json:"partition"`
	Weight    float64 `json:"weight"`
}

type table struct {
	Epoch   string             `json:"epoch"`
	Version int64              `json:"version"`
	Routes  map[string][]route `json:"routes"`
}

// Partitioner sends each tenant's records, by their key, to the partitions that the routing table of the stream gives
// it, by weight. A tenant without a route goes where Kafka's own partitioner sends it: by the murmur2 hash of the key.
// Safe for use by several goroutines.
type Partitioner struct {
	key      string
	redis    *redis.Client
	fallback kgo.TopicPartitioner

	mutex   sync.Mutex
	table   table
	tenants map[string]*spreader
}

// NewPartitioner follows the table of one stream until the context ends. It returns once it has read the present table,
// or after two seconds without Redis; from then on it uses hashes until there is a table.
func NewPartitioner(ctx context.Context, client *redis.Client, stream string) *Partitioner {
	p := &Partitioner{
		key:      "cordwood:routes:" + stream,
		redis:    client,
		fallback: kgo.StickyKeyPartitioner(nil).ForTopic(stream),
		tenants:  map[string]*spreader{},
	}
	firstRead := make(chan struct{})
	go p.follow(ctx, sync.OnceFunc(func() { close(firstRead) }))
	select {
	case <-firstRead:
	case <-time.After(2 * time.Second):
	}
	return p
}

// follow reads the table after each confirmation of the subscription and after each announcement, so it misses none.
func (p *Partitioner) follow(ctx context.Context, firstRead func()) {
	announcements := p.redis.Subscribe(ctx, p.key)
	defer announcements.Close()
	for ctx.Err() == nil {
		_, err := announcements.Receive(ctx) // reconnects and subscribes again by itself
		if err == nil {
			err = p.read(ctx)
		}
		if err != nil && ctx.Err() == nil {
			log.Printf("cannot read the table; the one in use stays: %v", err)
			time.Sleep(time.Second)
		}
		firstRead()
	}
}

func (p *Partitioner) read(ctx context.Context) error {
	text, err := p.redis.Get(ctx, p.key).Bytes()
	if err == redis.Nil {
		return nil
	}
	if err != nil {
		return err
	}
	var next table
	if err := json.Unmarshal(text, &next); err != nil {
		return err
	}
	p.mutex.Lock()
	defer p.mutex.Unlock()
	// In another epoch versions start again: Redis had lost its data.
	if next.Version > p.table.Version || next.Epoch != p.table.Epoch {
		p.table = next
		log.Printf("table %d in use", next.Version)
	}
	return nil
}

// ForTopic is called by the client; all topics get the stream's routes, so make one client for each stream.
func (p *Partitioner) ForTopic(string) kgo.TopicPartitioner { return p }

// RequiresConsistency: n counts all partitions, not only those that can be written to.
func (p *Partitioner) RequiresConsistency(*kgo.Record) bool { return true }

// Partition chooses one of n partitions.
func (p *Partitioner) Partition(record *kgo.Record, n int) int {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	tenant := string(record.Key)
	routes := slices.DeleteFunc(slices.Clone(p.table.Routes[tenant]), func(r route) bool { return r.Partition >= n })
	if len(routes) == 0 {
		return p.fallback.Partition(record, n)
	}
	s := p.tenants[tenant]
	if s == nil || !slices.Equal(s.routes, routes) {
		s = newSpreader(routes)
		p.tenants[tenant] = s
	}
	return s.next(len(record.Value))
}

// spreader spreads one tenant over its routes by smooth weighted round-robin, counted in bytes: after a run each route
// is credited its share, the one that was used pays, and the one with the most credit is next.
type spreader struct {
	routes  []route
	credits []float64
	current int
	run     int
}

func newSpreader(routes []route) *spreader {
	s := &spreader{routes: routes, credits: make([]float64, len(routes))}
	left := rand.Float64() * s.sum()
	for i, r := range routes {
		if left >= 0 {
			s.current = i
		}
		left -= r.Weight
	}
	return s
}

func (s *spreader) sum() (sum float64) {
	for _, r := range s.routes {
		sum += r.Weight
	}
	return sum
}

func (s *spreader) next(bytes int) int {
	if s.run >= runBytes {
		sum := s.sum()
		for i, r := range s.routes {
			s.credits[i] += float64(s.run) * r.Weight / sum
		}
		s.credits[s.current] -= float64(s.run)
		s.run = 0
		for i, credit := range s.credits {
			if credit > s.credits[s.current] {
				s.current = i
			}
		}
	}
	s.run += bytes
	return s.routes[s.current].Partition
}
