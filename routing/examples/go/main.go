// A producer in Go that follows Cordwood's routing table: ships the lines of standard input for one tenant.
//
//	go run . --kafka HOST:PORT --redis redis://HOST:PORT --tenant acme [--stream logs] < lines
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/twmb/franz-go/pkg/kgo"
)

const longestLine = 16 << 20

func main() {
	log.SetFlags(0)
	kafka := flag.String("kafka", "", "brokers, `HOST:PORT,...`")
	redisURL := flag.String("redis", "", "where the routing table is, `URL`")
	tenant := flag.String("tenant", "", "whose lines these are, `ID`")
	stream := flag.String("stream", "logs", "the stream, `NAME`")
	flag.Parse()
	if *kafka == "" || *redisURL == "" || *tenant == "" {
		flag.Usage()
		os.Exit(2)
	}
	if err := ship(context.Background(), *kafka, *redisURL, *tenant, *stream); err != nil {
		log.Fatal(err)
	}
}

func ship(ctx context.Context, brokers, redisURL, tenant, stream string) error {
	options, err := redis.ParseURL(redisURL)
	if err != nil {
		return fmt.Errorf("--redis: %w", err)
	}
	client, err := kgo.NewClient(
		kgo.SeedBrokers(strings.Split(brokers, ",")...),
		kgo.DefaultProduceTopic(stream),
		kgo.RecordPartitioner(NewPartitioner(ctx, redis.NewClient(options), stream)),
		kgo.ClientID(tenant), // the balancer may hold a tenant to its share by the client's id
		kgo.ProducerBatchCompression(kgo.ZstdCompression()),
		kgo.ProducerLinger(20*time.Millisecond),
	)
	if err != nil {
		return err
	}
	defer client.Close()

	var mutex sync.Mutex
	var refused error
	byPartition := map[int32]int{}
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, longestLine)
	for lines.Scan() {
		value, err := valueOf(lines.Bytes())
		if err != nil {
			return err
		}
		client.Produce(ctx, &kgo.Record{Key: []byte(tenant), Value: value}, func(record *kgo.Record, err error) {
			mutex.Lock()
			defer mutex.Unlock()
			if err != nil {
				refused = err
				return
			}
			byPartition[record.Partition]++
		})
	}
	if err := lines.Err(); err != nil {
		return fmt.Errorf("standard input: %w", err)
	}
	if err := client.Flush(ctx); err != nil {
		return err
	}
	if refused != nil {
		return fmt.Errorf("not all records were acknowledged: %w", refused)
	}
	sum := 0
	for _, count := range byPartition {
		sum += count
	}
	fmt.Printf("%d records acknowledged, by partition: %v\n", sum, byPartition)
	return nil
}

// valueOf is a line as the value of a record: JSON objects as they are, other lines as messages.
func valueOf(line []byte) ([]byte, error) {
	if len(line) > 0 && line[0] == '{' {
		return append([]byte(nil), line...), nil
	}
	return json.Marshal(map[string]string{"message": string(line)})
}
